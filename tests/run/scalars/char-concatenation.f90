! Concatenation of variables, functions, substrings; trailing blanks are kept.
program char_concatenation
  implicit none
  character(len=4) :: a, b
  character(len=12) :: c
  integer :: i
  a = 'ab'
  b = 'cd'
  c = a // b // 'ef'
  print *, c, '|', len(a // b), len(trim(a) // trim(b))
  c = trim(a) // '-' // trim(adjustl('   x  ')) // '-' // b(2:2)
  print *, c, '|'
  c = ''
  do i = 1, 5
    c = trim(c) // char(ichar('a') + i)
  end do
  print *, c, '|', 'con' // 'stant', repeat('xy', 3) // '!'
end program
