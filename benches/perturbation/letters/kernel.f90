! Counts words, vowels and letters.
subroutine look(text, words, vowels, upper, letters)
  implicit none
  character(len=*), intent(in) :: text
  integer, intent(inout) :: words, vowels, upper, letters(26)
  integer :: i, l
  logical :: inside
  inside = .false.
  do i = 1, len(text)
    if (text(i:i) == ' ') then
      if (inside) words = words + 1
      inside = .false.
    else
      inside = .true.
      select case (text(i:i))
      case ('a', 'e', 'i', 'o', 'u')
        vowels = vowels + 1
      case ('A':'Z')
        upper = upper + 1
      end select
      l = iachar(text(i:i)) - 96
      if (l >= 1 .and. l <= 26) letters(l) = letters(l) + 1
    end if
  end do
end subroutine
