/* [result, status] = eccel_mex(name, operand, ...): one calculation of process.h for Octave.
   SPDX-License-Identifier: Apache-2.0

   Operands are numbers in hexadecimal. status is 0 if the engine has done it, 1 or 2 if the caller has to do it itself;
   result is then the reason. [report] = eccel_mex("report") gives the counters as JSON. */
#include <string.h>

#include "mex.h"
#include "process.h"

enum { MAX_OPERANDS = 9, ROOM = 1 << 14 };

static void answer(int outputs, mxArray *output[], const char *text, int status)
{
    output[0] = mxCreateString(text);
    if (outputs > 1)
        output[1] = mxCreateDoubleScalar(status);
}

static void report(int outputs, mxArray *output[], char *text)
{
    if (!process_report(text, ROOM)) {
        char why[MATHS_WHY] = "";
        (void)process_session(why);
        mexErrMsgIdAndTxt("eccel:device", "eccel: %s", why);
    }
    answer(outputs, output, text, 0);
}

MATHS_API void mexFunction(int outputs, mxArray *output[], int inputs, const mxArray *input[]);

void mexFunction(int outputs, mxArray *output[], int inputs, const mxArray *input[])
{
    const char *operands[MAX_OPERANDS];
    char *text = mxMalloc(ROOM); /* Octave frees it when the function returns */
    if (inputs < 1 || inputs > 1 + MAX_OPERANDS)
        mexErrMsgIdAndTxt("eccel:argument", "eccel_mex: a name and up to %d operands", MAX_OPERANDS);
    for (int i = 0; i < inputs; i++)
        if (!mxIsChar(input[i]))
            mexErrMsgIdAndTxt("eccel:argument", "eccel_mex: operands are strings in hexadecimal");
    char *name = mxArrayToString(input[0]);
    mexLock(); /* the session of this process is here: `clear` must not end it */
    if (!strcmp(name, "report")) {
        report(outputs, output, text);
        return;
    }
    for (int i = 1; i < inputs; i++)
        operands[i - 1] = mxArrayToString(input[i]);
    int status = process_calculate(name, (unsigned)inputs - 1, operands, text, ROOM);
    if (status < 0)
        mexErrMsgIdAndTxt("eccel:argument", "eccel_mex: %s", text);
    if (status == MATHS_FAILED && process_strict())
        mexErrMsgIdAndTxt("eccel:device", "eccel: %s", text);
    answer(outputs, output, text, status);
}
