! A copy of a constant is changed.
program right
  call s((3))
  call t(4)
contains
  subroutine s(n)
    integer, intent(in) :: n
    integer :: k
    k = n
    k = k + 1
    print *, k
  end subroutine
  subroutine t(n)
    integer, value :: n
    n = n + 1
    print *, n
  end subroutine
end program
