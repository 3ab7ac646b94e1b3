! told at 9:21: Substring out of bounds: upper bound (6) of 't%word' exceeds string length (5)
program fault
  type t_
    character(5) :: word = 'abcde'
  end type
  type(t_) :: t
  integer :: n
  n = 6
  print *, t%word(1:n)
end program
