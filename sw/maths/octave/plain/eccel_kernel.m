## r = eccel_kernel (name, operand, ...): one calculation, by Octave itself.
##
## The folder "engine" has a function of the same name that uses the engine.
## SPDX-License-Identifier: Apache-2.0

function varargout = eccel_kernel (name, varargin)
  [varargout{1 : max (nargout, 1)}] = plain_kernel (name, varargin{:});
endfunction
