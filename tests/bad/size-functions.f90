! Functions that cannot give a bound or a length.
subroutine s(n)
  integer :: n
  real :: a(inner(n))
  character(inner(n) + 1) :: c
  print *, size(a), len(c)
contains
  pure integer function inner(n)
    integer, intent(in) :: n
    inner = n + 1
  end function
end subroutine
end
