program right
  integer :: n
  n = 3
  call s(n, n, .false.)
contains
  subroutine s(a, b, change)
    integer :: a, b
    logical :: change
    if (change) a = 1
    print *, a + b
  end subroutine
end program
