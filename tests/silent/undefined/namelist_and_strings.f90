program right
  integer :: n, k(3)
  character(len=40) :: text
  character(len=4) :: w(2)
  namelist /group/ n, k
  text = '&group n = 3, k = 1, 2, 3 /'
  read (text, nml=group)
  print *, n, k
  w(1)(1:2) = 'ab'
  w(1)(3:4) = 'cd'
  w(2) = w(1)
  print *, w
  write (text, '(a, i3)') w(1), n
  print *, trim(text)
end program
