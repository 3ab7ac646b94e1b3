! Strings longer than the dummy argument, and arrays of strings by characters.
program right
  character(8) :: s
  character(2) :: a(4)
  s = 'abcdefgh'
  a = 'xy'
  call one(s)
  call one(s(3:6))
  call many(a)
  print *, s, a
contains
  subroutine one(t)
    character(4) :: t
    t(1:1) = '*'
  end subroutine
  subroutine many(t)
    character(4) :: t(2)
    t(2) = 'abcd'
  end subroutine
end program
