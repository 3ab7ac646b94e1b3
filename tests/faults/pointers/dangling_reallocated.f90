! told at 8:13: Dangling pointer 'p': its target was deallocated at dangling_reallocated.f90:7
program fault
  real, pointer :: p(:)
  real, allocatable, target :: a(:)
  a = [1., 2.]
  p => a
  a = [1., 2., 3.]
  call show(p)
contains
  subroutine show(x)
    real, intent(in) :: x(:)
    print *, x
  end subroutine
end program
