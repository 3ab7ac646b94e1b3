! Statement functions with wrong arguments, of themselves, after statements.
program statement_function_bad
  implicit none
  integer :: f, g, h, x, y, i
  f(x) = x + 1
  g(x, x) = x
  h(y) = h(y) + 1
  i = f(1, 2)
  i = f('a')
  f(3) = 4
end program
