/* The session of a process whose package gives its functions no context: settings from the environment, warnings,
   and a report when the process ends.
   SPDX-License-Identifier: Apache-2.0

       ECCEL_DEVICES      addresses as for eccel_open; needed
       ECCEL_MIN_BITS     smaller moduli and factors are left to the package; 64
       ECCEL_TIMEOUT_MS   of one job; 60,000
       ECCEL_STRICT       1: a device that fails is an error of the script, and not a reason to use the package
       ECCEL_REPORT       1: write at the end to stderr what the engine has done; PATH: write it there, as JSON */
#ifndef ECCEL_MATHS_PROCESS_H
#define ECCEL_MATHS_PROCESS_H

#include "maths.h"

/* Opens the session at the first call. Returns NULL with a reason if that has failed, now or before. */
MATHS_API maths *process_session(char why[MATHS_WHY]);

/* 1 if ECCEL_STRICT is set. */
MATHS_API int process_strict(void);

/* 1 the first time: a device has failed, and the user should know. */
int process_should_warn(void);

/* Writes the report if it is wanted, and closes the session. Is called at the end of the process, too. */
MATHS_API void process_end(void);

/* The counters as one JSON object in `out`. Returns the length, or 0 if there is too little room. */
MATHS_API size_t process_report(char *out, size_t room);

/* One calculation with numbers in hexadecimal, for packages without GMP; a number may begin with "-". Names, operands
   and results:

       product a b          r             mod_mul m a b    r         mod_exp m a e    r
       mod_add m a b        r             mod_sub m a b    r         mod_inv m a      r
       point_mul p a b N gx gy k x y      x y              point_add p a b x1 y1 x2 y2    x y

   N, gx and gy may be "" if the caller does not know them; the point at infinity has "" as coordinates. Returns one
   of enum maths_result, or -1 if the call is malformed; `out` has the result, separated by a blank, or the reason. */
MATHS_API int process_calculate(const char *name, unsigned count, const char *const *operands, char *out, size_t room);

#endif
