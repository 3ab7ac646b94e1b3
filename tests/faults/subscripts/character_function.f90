! told at 9:13: Index '3' of dimension 1 of array 'all' above upper bound of 2
module names
  implicit none
contains
  function word(k) result(w)
    integer, intent(in) :: k
    character(len=3) :: w
    character(len=3), dimension(2) :: all = (/ 'one', 'two' /)
    w = all(k)
  end function
end module
program fault
  use names
  integer :: k
  do k = 1, 3
    print *, word(k)
  end do
end program
