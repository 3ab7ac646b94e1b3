! Nests with arrays of which no element is used, since they are absent or not allocated: the other arrays are sent as without them.
module m
  integer, allocatable :: c(:)
!HPF$ DISTRIBUTE c(BLOCK)
contains
  subroutine s(a, b, n, x)
    integer :: n, i
    integer :: a(n), b(n)
    integer, optional :: x(n)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
!HPF$ ALIGN x(i) WITH a(i)
    do i = 1, n - 1
      if (a(i) > 3) b(i) = a(i + 1)
      if (n < 3) c(i) = 1
      if (present(x)) x(i) = b(i)
    end do
  end subroutine
end module
program p
  use m
  integer :: a(20), b(20), i
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
  do i = 1, 20
    a(i) = mod(i * 7, 10)
    b(i) = 0
  end do
  call s(a, b, 20)
  print *, a
  print *, b
end program
