! An internal procedure uses an array of the host while another part of it is its argument.
program right
  integer :: a(6)
  a = 1
  call s(a(1:3), 3)
  print *, a
contains
  subroutine s(x, n)
    integer, intent(in) :: n
    integer, intent(inout) :: x(n)
    x = x + a(4:6)
    a(4:6) = 0
  end subroutine
end program
