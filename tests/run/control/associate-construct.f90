! ASSOCIATE to variables, elements, sections, expressions.
program p
  implicit none
  real :: a(3,3), x, y
  integer :: i, idx(2)
  character(len=10) :: s
  x = 2.0; y = 3.0
  a = reshape([(real(i), i=1,9)], [3,3])
  associate (r => sqrt(x*x + y*y), z => x)
    print '(f8.4)', r
    z = 10.0
    print *, x
  end associate
  associate (row => a(2,:), el => a(3,3))
    row = row*2
    el = -1
    print *, row, size(row)
  end associate
  print *, a
  s = 'hello'
  associate (t => s(2:4), n => len_trim(s))
    print *, t, n
    t = 'xyz'
  end associate
  print *, s
  i = 2
  associate (e => a(i, i))
    i = 3
    e = 100
  end associate
  print *, a(2,2), a(3,3)
  idx = [3, 1]
  associate (v => a(idx, 1), w => a(:, 1) + 1)
    print *, v, w, lbound(w), ubound(w)
  end associate
  nested: associate (p1 => x + 1)
    associate (p2 => p1*2)
      print *, p1, p2
      if (p2 > 0) exit nested
    end associate
    print *, 'no'
  end associate nested
end program
