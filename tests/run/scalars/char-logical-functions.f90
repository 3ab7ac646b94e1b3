! Palindromes and word counts: loops over characters with EXIT.
program char_logical_functions
  implicit none
  character(len=24) :: lines(3)
  integer :: i
  lines(1) = 'never odd or even'
  lines(2) = 'two  words'
  lines(3) = ''
  do i = 1, 3
    print *, words(lines(i)), palindrome(lines(i))
  end do
contains
  integer function words(s)
    character(len=*), intent(in) :: s
    integer :: i
    logical :: inside
    words = 0
    inside = .false.
    do i = 1, len(s)
      if (s(i:i) == ' ') then
        inside = .false.
      else if (.not. inside) then
        inside = .true.
        words = words + 1
      end if
    end do
  end function words
  logical function palindrome(s)
    character(len=*), intent(in) :: s
    integer :: i, j
    i = 1
    j = len_trim(s)
    palindrome = .true.
    do while (i < j)
      if (s(i:i) == ' ') then
        i = i + 1
      else if (s(j:j) == ' ') then
        j = j - 1
      else
        if (s(i:i) /= s(j:j)) then
          palindrome = .false.
          exit
        end if
        i = i + 1
        j = j - 1
      end if
    end do
  end function palindrome
end program
