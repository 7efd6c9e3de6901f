"""Shared by the Python side of several benches: question in, answer out."""

import json
import platform
import sys

import numpy
import scipy
import sklearn


def question():
    with open(sys.argv[1], encoding="utf-8") as file:
        return json.load(file)


def reply(**answer):
    versions = {
        "python": platform.python_version(),
        "scikit-learn": sklearn.__version__,
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    }
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump({"versions": versions, **answer}, file)
