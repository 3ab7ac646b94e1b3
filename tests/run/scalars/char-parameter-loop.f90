! Counting letters with a table; character constants with quotes inside.
program char_parameter_loop
  implicit none
  character(len=*), parameter :: text = "it's a ""quoted"" word, isn''t it"
  character(len=*), parameter :: vowels = 'aeiou'
  integer :: counts(len(vowels)), i, k
  counts = 0
  do i = 1, len(text)
    k = index(vowels, text(i:i))
    if (k > 0) counts(k) = counts(k) + 1
  end do
  print *, counts, len(text)
  print *, text
end program
