! told at 11:15: 'n' is used, and 'x', which is the same storage, is defined at bound_of_loop.f90:10:5
! flags: -fcheck=alias
program fault
  integer :: k(4) = 2
  call fill(k, k(1))
  print *, k
contains
  subroutine fill(x, n)
    integer :: x(4), n, i
    x(1) = 4
    do i = 1, n
      x(i) = i
    end do
  end subroutine
end program
