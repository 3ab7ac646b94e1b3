! Character functions of computed length.
module m
  implicit none
contains
  function reverse(s) result(r)
    character(len=*), intent(in) :: s
    character(len=len(s)) :: r
    integer :: i
    do i = 1, len(s)
      r(i:i) = s(len(s)+1-i:len(s)+1-i)
    end do
  end function
  function pad(s, n) result(r)
    character(len=*), intent(in) :: s
    integer, intent(in) :: n
    character(len=max(n, len_trim(s))) :: r
    r = s
  end function
  pure integer function words(s)
    character(len=*), intent(in) :: s
    integer :: i
    words = 0
    do i = 1, len_trim(s)
      if (s(i:i) /= ' ') then
        if (i == 1) then
          words = words + 1
        else if (s(i-1:i-1) == ' ') then
          words = words + 1
        end if
      end if
    end do
  end function
  function stars(s) result(r)
    character(len=*), intent(in) :: s
    character(len=words(s)) :: r
    r = repeat('*', words(s))
  end function
  function table(n) result(t)
    integer, intent(in) :: n
    character(len=n) :: t(n)
    integer :: i
    do i = 1, n
      t(i) = repeat(achar(64 + i), i)
    end do
  end function
  function trimmed(s) result(r)
    character(*), intent(in) :: s
    character(len_trim(s)) :: r
    r = s
  end function
end module
program p
  use m
  implicit none
  print *, reverse('stressed'), '|', pad('ab', 5), '|', stars('one two  three'), '|'
  print *, table(3)
  print *, reverse(reverse('x y ')//'z'), len(pad('abc', 7)), len(trimmed('ab  '))
end program
