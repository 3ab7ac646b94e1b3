! told at 16:40, where i = 40: Index '41' of dimension 1 of array 'f%v' above upper bound of 40
program fault
  type field
    real(8), allocatable :: v(:)
  end type
  type(field) :: f, g
  allocate (f%v(40), g%v(40))
  f%v = 1
  call step(40)
  print *, g%v
contains
    subroutine step(n)
      integer, intent(in) :: n
      integer :: i
      do i = 1, n
        g%v(i) = 0.5d0 * (f%v(i) + f%v(i + 1))
      end do
    end subroutine
end program
