! Words of a text, character by character.
program words
  implicit none
  integer :: scale
  character(8) :: word
  character(200) :: text
  integer :: i, k, n
  integer, external :: count_words
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  do i = 1, 200
    k = mod(i * i * 7 + i, 71)
    text(i:i) = ' '
    if (k < 52) text(i:i) = achar(65 + k)
    if (k > 65) text(i:i) = achar(48 + k - 66)
  end do
  n = 0
  do k = 1, 20000 * scale
    n = n + count_words(text)
  end do
  print *, n
end program
