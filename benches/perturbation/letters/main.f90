! Conditionals and SELECT CASE over the characters of a text.
program count_letters
  implicit none
  character(len=4000) :: text
  integer :: i, k, words, vowels, upper, letters(26), scale
  character(8) :: word
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  k = 17
  do i = 1, len(text)
    k = mod(k*75 + 74, 65537)
    text(i:i) = merge(' ', achar(97 + mod(k, 26)), mod(k, 6) == 0)
  end do
  words = 0
  vowels = 0
  upper = 0
  letters = 0
  do i = 1, 8000*scale
    call look(text, words, vowels, upper, letters)
  end do
  print *, words, vowels, upper, letters(1)
end program
