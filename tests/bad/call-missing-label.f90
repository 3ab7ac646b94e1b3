! A call without a label for an alternate return, and an array that is too small for its dummy argument.
module m
contains
  subroutine s(n, *)
    return n
  end subroutine
  subroutine t(a)
    integer, intent(in) :: a(4)
    print *, a
  end subroutine
end module
program p
  use m
  integer :: b(3)
  b = 0
  call s(1)
  call t(b)
  call t(b(1:3))
end program
