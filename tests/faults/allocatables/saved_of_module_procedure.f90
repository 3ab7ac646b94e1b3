! told at 12:12: Allocatable variable 'table' is not allocated
module cache
  real, allocatable, save, private :: table(:)
contains
  subroutine init(n)
    integer, intent(in) :: n
    if (n > 10) allocate (table(n))
    if (n > 10) table = 0
  end subroutine
  real function look(k)
    integer, intent(in) :: k
    look = table(k)
  end function
end module
program fault
  use cache
  call init(5)
  print *, look(2)
end program
