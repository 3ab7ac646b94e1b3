! What goes into a chain of MAX is made of the chain itself.
program chain_of_own_values
  implicit none
  double precision :: x(3)
  integer :: i
  do i = 1, 3
    x(i) = f(0.25d0*i, -2.5d0*i)
  end do
  print '(3f12.6)', x
contains
  double precision function f(d, start)
    double precision, intent(in) :: d, start
    double precision :: y
    integer :: j, k
    f = start
    y = 1.0d0
    do j = 1, 4
      do k = 1, 6
        f = max(f, y - f)
        y = (d - y) + y*0.5d0
      end do
    end do
  end function
end program
