! String handling: split, join, replace, case, numbers.
module strings
  implicit none
contains
  pure function lower(s) result(r)
    character(*), intent(in) :: s
    character(len(s)) :: r
    integer :: i
    do i = 1, len(s)
      select case (s(i:i))
      case ('A':'Z')
        r(i:i) = achar(iachar(s(i:i)) + 32)
      case default
        r(i:i) = s(i:i)
      end select
    end do
  end function
  subroutine split(s, sep, words, n)
    character(*), intent(in) :: s, sep
    character(*), intent(out) :: words(:)
    integer, intent(out) :: n
    integer :: i, j
    n = 0
    i = 1
    do while (i <= len_trim(s))
      j = index(s(i:), sep)
      if (j == 0) j = len_trim(s) - i + 2
      n = n + 1
      words(n) = s(i:i+j-2)
      i = i + j - 1 + len(sep)
    end do
  end subroutine
  function join(words, sep) result(r)
    character(*), intent(in) :: words(:), sep
    character(sum(len_trim(words)) + len(sep)*(size(words) - 1)) :: r
    integer :: i, k
    k = 1
    do i = 1, size(words)
      r(k:) = trim(words(i))
      k = k + len_trim(words(i))
      if (i < size(words)) then
        r(k:) = sep
        k = k + len(sep)
      end if
    end do
  end function
  elemental logical function is_digit(c)
    character, intent(in) :: c
    is_digit = c >= '0' .and. c <= '9'
  end function
  function str(i) result(s)
    integer, intent(in) :: i
    character(range(i) + 2) :: s
    write (s, '(i0)') i
    s = adjustl(s)
  end function
end module
program p
  use strings
  implicit none
  character(20) :: w(10), line
  integer :: n, i
  line = 'The Quick, Brown, Fox'
  call split(line, ', ', w, n)
  print *, n, (trim(w(i)), ';', i=1,n)
  print *, join(w(1:n), '-')
  print *, lower(line)
  print *, is_digit([(line(i:i), i=1,3)]), is_digit('7')
  print *, trim(str(-42)), scan(line, 'aeiou'), verify('  x', ' '), index('banana', 'an', back=.true.)
  print *, adjustr('ab   ')//'|', repeat('=-', 4), lge('b', 'a'), llt('a', 'b')
  w(1:3) = [character(20) :: 'pear', 'apple', 'fig']
  print *, w(minloc([(len_trim(w(i)), i=1,3)], 1)), minval(w(1:3))
end program
