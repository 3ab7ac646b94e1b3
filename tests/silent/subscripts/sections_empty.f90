! Sections without elements may lie anywhere.
program right
  integer :: a(3), n
  a = 1
  n = 10
  a(n:5) = 2
  print *, size(a(n:5)), sum(a(-3:-4)), a(4:3), a
end program
