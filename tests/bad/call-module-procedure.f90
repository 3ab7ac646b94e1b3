! Arguments of module procedures.
module m
  implicit none
contains
  subroutine fill(v, n)
    integer, intent(in) :: n
    integer, intent(out) :: v(n)
    v = n
  end subroutine fill
  logical function positive(x)
    double precision, intent(in) :: x
    positive = x > 0.0d0
  end function positive
end module m
program call_module_procedure
  use m
  implicit none
  integer :: v(3)
  call fill(v)
  call fill(v, 2.5)
  call fill((v), 3)
  call fill(3, 3)
  if (positive(1)) v = 0
end program
