! told at 12:5: 'b' is defined, and 'a', which is the same storage, is defined at both_written.f90:11:5
! flags: -fcheck=alias
program fault
  integer :: v(3)
  v = 0
  call pair(v(2), v(2))
  print *, v
contains
  subroutine pair(a, b)
    integer, intent(out) :: a, b
    a = 1
    b = 2
  end subroutine
end program
