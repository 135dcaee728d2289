"""A published openEHR client library against the gateway, as against any repository: all it is told is the base URL.

Only what a federation cannot know without being told, at which repository something new shall be, is named in a header that
the library sends by its own option for default headers.

usage: scenario.py BASE_URL PATIENT NAMESPACE
"""

import asyncio
import contextlib
import sys

from oehrpy.client import CompositionFormat, ContributionBuilder, NotFoundError, OpenEHRClient, ValidationError
from oehrpy.client.openehr import PreconditionFailedError

TARGET = "openEHR-federation-endpoint"
TEMPLATE = (
    '<template xmlns="http://schemas.openehr.org/v1"><template_id><value>{}</value></template_id></template>'
)


def composition(title):
    return {
        "_type": "COMPOSITION",
        "name": {"_type": "DV_TEXT", "value": title},
        "archetype_node_id": "openEHR-EHR-COMPOSITION.encounter.v1",
        "archetype_details": {
            "_type": "ARCHETYPED",
            "archetype_id": {"_type": "ARCHETYPE_ID", "value": "openEHR-EHR-COMPOSITION.encounter.v1"},
            "rm_version": "1.1.0",
        },
        "language": {"_type": "CODE_PHRASE", "terminology_id": {"value": "ISO_639-1"}, "code_string": "en"},
        "territory": {"_type": "CODE_PHRASE", "terminology_id": {"value": "ISO_3166-1"}, "code_string": "GB"},
        "category": {
            "_type": "DV_CODED_TEXT",
            "value": "event",
            "defining_code": {"terminology_id": {"value": "openehr"}, "code_string": "433"},
        },
        "composer": {"_type": "PARTY_IDENTIFIED", "name": "A. Composer"},
    }


@contextlib.contextmanager
def refused(kind, status, code=None):
    """The block must end with this refusal."""
    try:
        yield
    except kind as error:
        assert error.status_code == status, (error.status_code, str(error))
        assert code is None or error.response["code"] == code, error.response
    else:
        raise AssertionError(f"no {kind.__name__}")


def same(one, other):
    assert one == other, f"{one!r} is not {other!r}"


async def records(client, at_b):
    """Creates an EHR at one repository, then knows nothing of repositories any more."""
    with refused(ValidationError, 400, "target-required"):
        await client.create_ehr()
    ehr = await at_b.create_ehr()
    same((await client.get_ehr(ehr.ehr_id)).system_id, ehr.system_id)
    status = await client.get_ehr_status(ehr.ehr_id)
    status["is_modifiable"] = True
    changed = await client.update_ehr_status(ehr.ehr_id, status["uid"]["value"], status)
    assert changed["uid"]["value"].endswith("::2"), changed["uid"]
    return ehr.ehr_id


async def versions(client, ehr_id):
    """Commits, reads, updates, lists the versions of a composition."""
    canonical = {"format": CompositionFormat.CANONICAL}
    first = await client.create_composition(ehr_id, composition("First"), **canonical)
    name, system, _ = first.uid.split("::")
    second = await client.update_composition(ehr_id, name, first.uid, composition("Second"), **canonical)
    same(second.uid, f"{name}::{system}::2")
    with refused(PreconditionFailedError, 412):
        await client.update_composition(ehr_id, name, first.uid, composition("Late"), **canonical)
    with refused(ValidationError, 409, "controlling-system"):
        await client.update_composition(ehr_id, name, f"{name}::elsewhere.example.org::2", composition("Copy"), **canonical)
    same((await client.get_composition(ehr_id, name)).composition["name"]["value"], "Second")
    same((await client.get_composition(ehr_id, first.uid)).composition["name"]["value"], "First")
    same((await client.get_versioned_composition(ehr_id, name)).uid, name)
    old = await client.get_composition_version(ehr_id, name, first.uid)
    new = await client.get_composition_version(ehr_id, name, second.uid)
    same((old.preceding_version_uid, new.preceding_version_uid), (None, first.uid))

    amended = ContributionBuilder().add_amendment(preceding_version_uid=second.uid, composition=composition("Third"))
    committed = await client.create_contribution(ehr_id, amended.set_audit(committer="A. Composer").build())
    same(committed.versions, [f"{name}::{system}::3"])
    same((await client.get_contribution(ehr_id, committed.contribution_uid)).versions, committed.versions)

    listed = await client.query(
        "SELECT v/uid/value AS uid, c/name/value AS name FROM EHR e CONTAINS VERSION v[ALL_VERSIONS] CONTAINS COMPOSITION c "
        f"WHERE e/ehr_id/value = '{ehr_id}' ORDER BY v/uid/value"
    )
    expected = [[f"{name}::{system}::{number}", title] for number, title in enumerate(["First", "Second", "Third"], 1)]
    same(listed.rows, expected)
    return name, system


async def directory(client, ehr_id):
    folder = {"_type": "FOLDER", "name": {"_type": "DV_TEXT", "value": "root"}, "archetype_node_id": "openEHR-EHR-FOLDER.generic.v1"}
    made = await client.create_directory(ehr_id, folder)
    folder["name"]["value"] = "renamed"
    changed = await client.update_directory(ehr_id, made["uid"]["value"], folder)
    same((await client.get_directory(ehr_id))["name"]["value"], "renamed")
    same((await client.get_directory(ehr_id, version_uid=made["uid"]["value"]))["name"]["value"], "root")
    await client.delete_directory(ehr_id, changed["uid"]["value"])


async def queries(client, ehr_id, patient, namespace):
    """One record by its id; one patient at every repository; the same stored under a name."""
    titles = "SELECT c/name/value AS title FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = "
    same((await client.query(f"{titles}$ehr", query_parameters={"ehr": ehr_id})).as_dicts(), [{"title": "Third"}])
    same((await client.query_get(f"{titles}'{ehr_id}'", fetch=5)).rows, [["Third"]])

    whose = "e/ehr_status/subject/external_ref/id/value = $patient AND e/ehr_status/subject/external_ref/namespace = $namespace"
    compositions = f"SELECT c/uid/value AS uid FROM EHR e CONTAINS COMPOSITION c WHERE {whose} ORDER BY c/uid/value"
    given = {"patient": patient, "namespace": namespace}
    everywhere = await client.query(compositions, query_parameters=given)
    systems = {uid.split("::")[1] for [uid] in everywhere.rows}
    assert len(systems) > 1, f"the patient's record is at several repositories: {systems}"

    await client.store_query("org.example::compositions", compositions, "1.0.0")
    with refused(ValidationError, 409, "query-exists"):
        await client.store_query("org.example::compositions", compositions, "1.0.0")
    with refused(ValidationError, 400, "identifier-leak"):
        await client.store_query("org.example::patient", compositions.replace("$patient", f"'{patient}'"), "1.0.0")
    same([query.version for query in await client.list_stored_queries("org.example::compositions")], ["1.0.0"])
    same((await client.get_stored_query("org.example::compositions", "1")).q, compositions)
    stored = await client.execute_stored_query("org.example::compositions", "1.0.0", query_parameters=given)
    same((stored.name, stored.rows), ("org.example::compositions", everywhere.rows))
    page = await client.execute_stored_query("org.example::compositions", query_parameters=given, offset=1, fetch=2)
    same(page.rows, everywhere.rows[1:3])

    drift = (await client.client.get("/rest/openehr/federation/drift")).json()
    assert all(endpoint["in_step"] for endpoint in drift["endpoints"]) and drift["compared"] == 1, drift


async def patients(client, at_b, patient, namespace):
    with refused(ValidationError, 409, "ambiguous-patient"):
        await client.get_ehr_by_subject(patient, namespace)
    found = await at_b.get_ehr_by_subject(patient, namespace)
    same((await at_b.get_ehr(found.ehr_id)).ehr_id, found.ehr_id)


async def templates(client, at_b, at_all):
    with refused(ValidationError, 400, "target-required"):
        await client.list_templates()
    same((await at_b.upload_template(TEMPLATE.format("one"))).template_id, "one")
    same((await at_all.upload_template(TEMPLATE.format("everywhere"))).template_id, "everywhere")
    same({template.template_id for template in await at_b.list_templates()}, {"one", "everywhere"})
    same(await at_b.get_template_opt("one"), TEMPLATE.format("one"))


async def main(base, patient, namespace):
    def targeting(endpoints):
        return OpenEHRClient(base_url=base, headers={TARGET: endpoints})

    async with OpenEHRClient(base_url=base) as client, targeting("hospital-b") as at_b, targeting("*") as at_all:
        ehr_id = await records(client, at_b)
        await versions(client, ehr_id)
        await directory(client, ehr_id)
        await queries(client, ehr_id, patient, namespace)
        await patients(client, at_b, patient, namespace)
        await templates(client, at_b, at_all)
        with refused(NotFoundError, 404):
            await client.get_ehr("00000000-0000-4000-8000-000000000000")
    print("sdk: every step gave what a repository gives")


asyncio.run(main(*sys.argv[1:4]))
