! told at 9:17: Different CHARACTER lengths (3/5) in array constructor
program fault
  call list('one', 'three')
contains
  subroutine list(a, b)
    character(*), intent(in) :: a, b
    character(5) :: words(2)
    integer :: k
    words = [a, b]
    print *, (words(k), k = 1, 2)
  end subroutine
end program
