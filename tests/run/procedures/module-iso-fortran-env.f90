! The intrinsic module ISO_FORTRAN_ENV: kinds, units, codes.
program p
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, dp => real64, &
    output_unit, input_unit, error_unit, iostat_end, iostat_eor, character_storage_size, numeric_storage_size, file_storage_size
  implicit none
  integer(int8) :: a
  integer(int16) :: b
  integer(int32) :: c
  integer(int64) :: d
  real(real32) :: x
  real(dp) :: y
  integer :: ios, n
  a = huge(a); b = huge(b); c = huge(c); d = huge(d)
  x = 1.0_real32/3; y = 1.0_dp/3
  write (output_unit, *) a, b, c, d
  write (output_unit, '(f12.8,f20.16)') x, y
  print *, input_unit, error_unit, iostat_end, iostat_eor
  print *, character_storage_size, numeric_storage_size, file_storage_size
  read (input_unit, *, iostat=ios) n
  if (ios == iostat_end) print *, 'end of file'
  print *, is_iostat_end(ios), is_iostat_eor(ios)
end program
