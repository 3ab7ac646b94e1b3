! Integer constants that are too large, in operations of constants.
program main
  integer :: n
  n = -21474836484
  n = 1 - 21474836488 + n
  read (4 - 21474836482, *) n
  call compute(result=n, x=-214748364810)
contains
  subroutine compute(result, x)
    integer, intent(out) :: result
    integer, intent(in) :: x
    result = x
  end subroutine
end program
