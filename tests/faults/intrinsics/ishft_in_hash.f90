! told at 11:31, where i = 1: The argument 'shift' of 'ishft' is 33, but must be from -32 to 32
program fault
  print *, hash('abc', 33)
contains
  integer function hash(s, k)
    character(*), intent(in) :: s
    integer, intent(in) :: k
    integer :: i
    hash = 0
    do i = 1, len(s)
      hash = ieor(ishft(hash, k), ichar(s(i:i)))
    end do
  end function
end program
