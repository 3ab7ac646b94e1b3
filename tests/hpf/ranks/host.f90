! Internal procedures that change mapped arrays of their host, also as arguments, and recursion.
program main
  call host(7)
end program

subroutine host(n)
  integer, intent(in) :: n
  integer :: a(n), b(n), i
!HPF$ DISTRIBUTE a(CYCLIC)
!HPF$ DISTRIBUTE b(BLOCK)
  integer, external :: fact
  do i = 1, n
    a(i) = i
  end do
  call apply(bump, 3)
  do i = 1, n
    b(i) = a(i) + deeper(i)
  end do
  print *, a, b, fact(5)
contains
  subroutine bump(k)
    integer, intent(in) :: k
    a(k) = a(k) + 10
    a(1) = a(1) + a(k)
  end subroutine
  integer function deeper(k)
    integer, intent(in) :: k
    a(k) = a(k) * 2
    deeper = a(1)
  end function
end subroutine

subroutine apply(f, k)
  interface
    subroutine f(k)
      integer, intent(in) :: k
    end subroutine
  end interface
  integer, intent(in) :: k
  integer :: j
  do j = 1, k
    call f(j)
  end do
end subroutine

recursive integer function fact(k) result(r)
  integer, intent(in) :: k
  integer :: w(k), j
!HPF$ DISTRIBUTE w(BLOCK)
  do j = 1, k
    w(j) = j
  end do
  if (k == 1) then
    r = 1
  else
    r = w(k) * fact(k - 1)
  end if
end function
