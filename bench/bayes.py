"""The time of scikit-learn's BayesianGaussianMixture, per step, in one thread: processor time."""

import json
import os
import sys

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import time
import warnings

import numpy as np
from sklearn.mixture import BayesianGaussianMixture

warnings.filterwarnings("ignore")
question = json.load(open(sys.argv[1]))
X = np.array(question["cells"]).T.copy()
model = BayesianGaussianMixture(n_components=question["k"], max_iter=6, tol=0, init_params="random_from_data", random_state=1)
begin = time.process_time()
model.fit(X)
json.dump({"seconds": time.process_time() - begin, "steps": int(model.n_iter_)}, open(sys.argv[2], "w"))
