//! What the fake federation holds.

/// An endpoint of the fake.
pub(crate) struct Endpoint {
    pub(crate) id: &'static str,
    pub(crate) node: &'static str,
    pub(crate) system: &'static str,
    pub(crate) organisation: &'static str,
    /// The patient's record there; none at gamma.
    pub(crate) ehr: Option<&'static str>,
    pub(crate) compositions: &'static [Composition],
}

/// A composition: uid, start, name and the numbers in it.
pub(crate) struct Composition {
    pub(crate) uid: &'static str,
    pub(crate) start: &'static str,
    pub(crate) name: &'static str,
    pub(crate) numbers: &'static [i64],
}

pub(crate) const ENDPOINTS: [Endpoint; 3] = [
    Endpoint {
        id: "alpha",
        node: "node-a",
        system: "sys-a",
        organisation: "org-1",
        ehr: Some("aaaaaaaa-0000-4000-8000-000000000001"),
        compositions: &[
            Composition {
                uid: "10000000-0000-4000-8000-000000000000::sys-a::1",
                start: "2024-01-05T09:00:00Z",
                name: "visit",
                numbers: &[120, 80],
            },
            Composition {
                uid: "30000000-0000-4000-8000-000000000000::sys-a::1",
                start: "2024-03-01T09:00:00Z",
                name: "visit",
                numbers: &[121],
            },
            Composition {
                uid: "50000000-0000-4000-8000-000000000000::sys-a::1",
                start: "2024-05-01T09:00:00Z",
                name: "labs",
                numbers: &[7, 9],
            },
        ],
    },
    Endpoint {
        id: "beta",
        node: "node-b",
        system: "sys-b",
        organisation: "org-2",
        ehr: Some("bbbbbbbb-0000-4000-8000-000000000001"),
        compositions: &[
            Composition {
                uid: "20000000-0000-4000-8000-000000000000::sys-b::1",
                start: "2024-02-01T10:00:00+01:00",
                name: "labs",
                numbers: &[98],
            },
            Composition {
                uid: "30000000-0000-4000-8000-000000000000::sys-a::1",
                start: "2024-03-01T09:00:00Z",
                name: "visit",
                numbers: &[121],
            },
            Composition {
                uid: "60000000-0000-4000-8000-000000000000::sys-b::1",
                start: "2024-06-01T10:00:00+02:00",
                name: "visit",
                numbers: &[200, 80],
            },
        ],
    },
    Endpoint { id: "gamma", node: "node-c", system: "sys-c", organisation: "org-2", ehr: None, compositions: &[] },
];
