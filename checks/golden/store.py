"""How every golden file is written and how two opinions are compared."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = (
    "1"  # sums in one order: a rerun on one machine is byte for byte the same
)
os.environ["OMP_NUM_THREADS"] = "1"

import json
import math
from pathlib import Path

import numpy as np
import scipy
import sklearn


def plain(value):
    """Numpy to JSON; NaN, which only ever marks a missing cell here, to null."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and math.isnan(value):
        return None
    return value


def lines(value, depth):
    """Compact JSON, one line per entry down to `depth`, so that a diff shows which entry moved."""
    if depth == 0 or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    if isinstance(value, dict):
        return (
            "{\n"
            + ",\n".join(
                f"{json.dumps(k, ensure_ascii=False)}:{lines(v, depth - 1)}" for k, v in value.items()
            )
            + "\n}"
        )
    return "[\n" + ",\n".join(lines(v, depth - 1) for v in value) + "\n]"


def write(name, about, **payload):
    made = {
        "script": f"checks/golden/{name}.py",
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }
    text = lines(plain({"about": about, "made": made, **payload}), 3) + "\n"
    assert len(text.encode()) < 200_000, f"{name}.json is too large"
    (Path(__file__).parent / f"{name}.json").write_text(text, encoding="utf-8")
    print(f"{name}.json: {len(text.encode())} bytes")


def columns(names, X):
    """Rows as columns; whole numbers stay whole numbers."""
    return {name: np.asarray(X)[:, j] for j, name in enumerate(names)}


def agree(what, a, b, tolerance=1e-10):
    """Two opinions on one number: |a − b| ≤ tolerance · max(1, |b|), everywhere."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    assert a.shape == b.shape, f"{what}: shapes {a.shape} and {b.shape}"
    gap = np.max(np.abs(a - b) / np.maximum(1, np.abs(b)))
    assert gap <= tolerance, f"{what}: the two opinions differ by {gap:.1e}, more than {tolerance:.0e}"
    return gap


def posterior(joint):
    """p(k | x) from ln p(k, x)."""
    p = np.exp(joint - joint.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)
