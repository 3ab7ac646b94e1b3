! told at 16:26, where i = 1: Allocatable variable 'f%v' is not allocated
program fault
  type field
    real(8), allocatable :: v(:)
  end type
  type(field) :: f, g
  allocate (g%v(40))
  g%v = 1
  call step(40)
  print *, g%v
contains
    subroutine step(n)
      integer, intent(in) :: n
      integer :: i
      do i = 1, n
        g%v(i) = 0.5d0 * f%v(i) + g%v(i)
      end do
    end subroutine
end program
