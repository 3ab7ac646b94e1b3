program right
  integer :: a(4), n
  associate (first => a(1), rest => a(2:4))
    first = 1
    rest = 2
  end associate
  print *, a
  block
    integer :: k(2)
    k(1) = a(1)
    k(2) = a(2)
    n = sum(k)
  end block
  print *, n
end program
