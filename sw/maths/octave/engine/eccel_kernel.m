## r = eccel_kernel (name, operand, ...): one calculation, on the engine of ECCEL_DEVICES.
##
## Numbers are strings in hexadecimal. What the engine cannot do is done by plain_kernel.
## SPDX-License-Identifier: Apache-2.0

function varargout = eccel_kernel (name, varargin)
  persistent warned = false;
  [text, status] = eccel_mex (name, varargin{:});
  if (status == 0)
    varargout = ostrsplit (text, " ");
    return;
  endif
  if (status == 2 && ! warned)
    warned = true;
    warning ("eccel:device", "eccel: a device failed (%s): Octave does its work", text);
  endif
  [varargout{1 : max (nargout, 1)}] = plain_kernel (name, varargin{:});
endfunction
