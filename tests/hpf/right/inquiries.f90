! Inquiries about the processors, under IMPLICIT NONE and in declarations; the modules of the standard.
program inquiries
  use hpf_library
  use hpf_local_library, only: my_processor
  implicit none
  integer :: i
  logical :: m(4) = [.true., .false., .true., .true.]
  call sizes
  print *, iall([7, 3]), iany([1, 2]), iparity([(i, i = 1, 3)]), parity(m), leadz(1), popcnt(7), poppar(7)
  print *, my_processor()
contains
  subroutine sizes
    integer :: shape_of(size(processors_shape())), n
    real :: a(16), w(number_of_processors())
!HPF$ PROCESSORS p(NUMBER_OF_PROCESSORS()), q(NUMBER_OF_PROCESSORS()/1)
!HPF$ DISTRIBUTE a(BLOCK) ONTO p
    a = 1
    w = 2
    shape_of = processors_shape()
    n = number_of_processors() + number_of_processors(dim=1)
    print *, n, size(shape_of), shape_of, nint(sum(a) + sum(w))
  end subroutine
end program
