! REAL(16) and COMPLEX(16): ways to declare them, constants, and what inquiries say.
program kinds_quad
  use iso_fortran_env, only: real128
  use iso_c_binding, only: c_float128, c_float128_complex
  implicit none
  integer, parameter :: q = selected_real_kind(30), k = selected_real_kind(18, 4000)
  real(q) :: a = 1.0_q / 3
  real*16 :: b = 0.1q0
  real(kind=real128), parameter :: c = -2.5q-10
  complex*32 :: z = (1.5_q, -0.25)
  complex(16), parameter :: w = (1, 2) * (3.0_16, 0.5_16)
  real(c_float128) :: d(2) = [1.0_16, 2.0_16]
  real(16) :: e
  data e / 1e4000_16 /
  print *, q, k >= 10, real128, c_float128, c_float128_complex
  print *, a, b, c
  print *, z, w
  print *, d, e
  print *, kind(a), kind(1.0_q), kind(1q0), kind(z), kind(real(z)), kind(a * 1d0), kind(1.0 + (1.0, 2.0_16))
  print *, storage_size(a), storage_size(z), sizeof(a), sizeof(z)
  print *, precision(a), range(a), digits(a), radix(a), maxexponent(a), minexponent(a)
  print *, huge(a), tiny(a), epsilon(a)
  print *, precision(z), range(z), selected_real_kind(34), selected_real_kind(2, 5000), selected_real_kind(33, 4931)
  print *, huge(1.0_16) > huge(1d0), -huge(a) + tiny(a) == -huge(a)
  print *, real(a, 8) < huge(1d0), transfer(1.5_16, [0_8, 0_8]), transfer([0_8, 4611686018427387904_8], 1.0_16)
end program
