! INQUIRE(IOLENGTH=): what records of all types take.
program iolength
  type t
    integer(2) :: a
    real(8) :: b
  end type
  type(t) :: x(3)
  real :: r(4, 5)
  complex(8) :: z
  character(7) :: c(2)
  logical(1) :: l
  integer :: n, k
  inquire (iolength=n) 1, 2.0, .true.
  print *, n
  inquire (iolength=n) r
  print *, n
  inquire (iolength=n) r(:, 1), r(2, 2:3)
  print *, n
  inquire (iolength=n) z, c, l
  print *, n
  inquire (iolength=n) x
  print *, n
  inquire (iolength=n) (r(k, 1), k=1, 3)
  print *, n
end program
