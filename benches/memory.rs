//! How much memory combining takes beside the bytes received: peak resident memory, measured by the kernel.
//!
//! `cargo bench --bench memory` (Linux). Resident memory and not a count of allocations, since that is what a machine runs out of.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench stops at what it does not expect, and prints its figures")]

mod support;

use bytes::Bytes;

/// A line of `/proc/self/status` in bytes.
fn status(name: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<usize>().ok()).unwrap_or(0) * 1024
}

/// Peak resident memory above what was there before, and the bytes received.
fn measure(nodes: usize, rows: usize, chunked: bool) -> (usize, usize) {
    let before = status("VmRSS:");
    let bodies: Vec<Bytes> = (0..nodes).map(|node| support::body(node, rows)).collect();
    // Making them took more; only what comes now counts.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let received = bodies.iter().map(Bytes::len).sum();
    let combined = tributary::combine::combine(&support::spec(None), support::read(&bodies)).expect("it combines");
    let mut out = Vec::new();
    if chunked {
        let mut row = 0;
        while row < combined.len() {
            out.clear();
            row = combined.write_chunk(row, 64 * 1024, &mut out);
            std::hint::black_box(&out);
        }
    } else {
        out.reserve_exact(received);
        combined.write_rows(&mut out);
    }
    (status("VmHWM:").saturating_sub(before), received)
}

/// Each measurement has a process of its own, so that none finds memory another left.
fn measured_apart(nodes: usize, rows: usize, chunked: bool) -> String {
    let program = std::env::current_exe().expect("this program");
    let arguments = [nodes.to_string(), rows.to_string(), chunked.to_string()];
    let output = std::process::Command::new(program).arg("--measure").args(arguments).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, nodes, rows, chunked] = arguments.as_slice()
        && first == "--measure"
    {
        let (nodes, rows) = (nodes.parse().expect("nodes"), rows.parse().expect("rows"));
        let chunked = chunked == "true";
        let (peak, received) = measure(nodes, rows, chunked);
        let answer = if chunked { "in chunks" } else { "in one piece" };
        let (mega, ratio) = (1e6, peak as f64 / received as f64);
        println!("| {nodes} × {rows} | {answer} | {:.1} | {:.1} | {ratio:.2} |", received as f64 / mega, peak as f64 / mega);
        return;
    }
    println!("| nodes × rows | answer | MB received | peak MB | peak / received |\n|---|---|---|---|---|");
    for (nodes, rows) in [(4, 25_000), (16, 25_000)] {
        for chunked in [true, false] {
            print!("{}", measured_apart(nodes, rows, chunked));
        }
    }
}
