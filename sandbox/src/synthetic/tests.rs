use super::{Plan, Small};
use crate::federation::{Merge, Oracle};

#[test]
fn the_same_seed_gives_the_same_federation() {
    let print = |plan: &Plan| {
        let data = plan.generate();
        let records = data.members.iter().flat_map(|member| member.repository.ehrs().to_vec());
        records.map(|ehr| format!("{} {:?} {:?}", ehr.id, ehr.object, ehr.compositions())).collect::<Vec<_>>().join("\n")
    };
    let plan = Plan { seed: 11, ..Plan::default() };
    assert!(print(&plan) == print(&plan));
    assert!(print(&plan) != print(&Plan { seed: 12, ..Plan::default() }));
}

#[test]
fn patients_are_at_all_members_at_some_at_one_at_none() {
    let data = Plan::default().generate();
    let counts: Vec<usize> = data.patients.iter().map(|patient| patient.holdings.len()).collect();
    assert_eq!(counts, [4, 2, 1, 0, 4, 2, 1, 0]);
    let mut ids: Vec<&String> =
        data.patients.iter().flat_map(|patient| patient.holdings.iter().map(|held| &held.ehr_id)).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 14, "every record has an ehr_id of its own");
}

#[test]
fn some_versions_are_held_at_several_members() {
    let data = Plan { patients: 12, ..Plan::default() }.generate();
    let oracle = Oracle::of_dataset(&data, Merge::OneRecord);
    let all = oracle.rows("SELECT c/uid/value FROM COMPOSITION c").unwrap().len();
    let different = oracle.rows("SELECT DISTINCT c/uid/value FROM COMPOSITION c").unwrap().len();
    assert!(different < all, "{different} of {all}");
}

#[test]
fn the_records_answer_clinical_questions() {
    let oracle = Oracle::of_dataset(&Plan { patients: 12, ..Plan::default() }.generate(), Merge::OneRecord);
    let bp = "o/data[at0001]/events[at0006]/data[at0003]/items[at0004]/value/magnitude";
    for query in [
        format!("SELECT {bp} FROM OBSERVATION o[openEHR-EHR-OBSERVATION.blood_pressure.v2] WHERE {bp} > 140"),
        "SELECT i/narrative/value FROM INSTRUCTION i[openEHR-EHR-INSTRUCTION.medication_order.v3]".into(),
        "SELECT v/data[at0001]/items[at0002]/value/value FROM EVALUATION v[openEHR-EHR-EVALUATION.adverse_reaction_risk.v1]".into(),
        "SELECT a/items[at0001]/value FROM CLUSTER a[openEHR-EHR-CLUSTER.laboratory_test_analyte.v1] WHERE a/items[at0024]/value/value = 'Glucose'".into(),
    ] {
        assert!(!oracle.rows(&query).unwrap().is_empty(), "{query}");
    }
}

#[test]
fn one_record_and_parts_give_the_same_rows_where_nothing_is_joined() {
    for seed in 0..200 {
        let data = Small { seed, nodes: 3, compositions: 4 }.generate();
        let (one, parts) = (Oracle::of_dataset(&data, Merge::OneRecord), Oracle::of_dataset(&data, Merge::Parts));
        for query in [
            "SELECT c/uid/value, o/data/events/data/items[at0004]/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o ORDER BY o/data/events/data/items[at0004]/value DESC",
            "SELECT DISTINCT o/data/events/data/items[at0005]/value/magnitude AS x FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o ORDER BY x LIMIT 3",
            "SELECT c/name/value FROM EHR e CONTAINS COMPOSITION c",
            "SELECT MIN(o/data/events/data/items[at0005]/value), COUNT(DISTINCT o/data/events/time/value) FROM EHR e CONTAINS OBSERVATION o",
        ] {
            assert_eq!(one.lines(query).unwrap(), parts.lines(query).unwrap(), "seed {seed}: {query}");
        }
    }
}
