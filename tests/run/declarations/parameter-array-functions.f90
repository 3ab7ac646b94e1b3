! constants: initialization expressions with intrinsics
program p
  implicit none
  integer :: i
  integer, parameter :: n = 4, sq(n) = [(i*i, i=1,n)], total = sum(sq), big = maxval(sq)
  integer, parameter :: mat(2,2) = reshape([1,2,3,4], [2,2]), tr(2,2) = transpose(mat)
  real, parameter :: x = sqrt(2.0), v(3) = [sin(0.0), cos(0.0), exp(0.0)], s = dot_product(v, v)
  character(*), parameter :: names(3) = ['one  ', 'two  ', 'three'], first = trim(names(1))//'!'
  integer, parameter :: lens(3) = len_trim(names), pos = index('hello', 'l'), k = kind(1d0), e = selected_int_kind(9)
  logical, parameter :: f(2) = [any(sq > 10), all(sq > 10)]
  integer, parameter :: cnt = count(sq > 3), shp(2) = shape(mat), ub = ubound(mat, 1), mm(2,2) = matmul(mat, mat)
  real(k), parameter :: eps = epsilon(1.0_k), pi = 4*atan(1.0_k)
  complex, parameter :: ci = (0., 1.), z = ci*ci
  integer, parameter :: b = ishft(1, 4) + ibset(0, 2) + iand(12, 10), c = ichar('A'), m = modulo(-3, 5)
  integer, parameter :: pk(2) = pack(sq, sq > 5), cs(4) = cshift(sq, 1), sp(2,2) = spread([1,2], 1, 2), ml(1) = maxloc(sq)
  integer :: arr(total) = 7, two(size(mat)) = [1, 2, 3, 4]
  print *, sq, total, big, mat, tr
  print '(5f9.5)', x, v, s
  print *, names, first, lens, pos, k, e, f, cnt, shp, ub, mm
  print *, eps, pi, z, b, c, m
  print *, pk, cs, sp, ml
  print *, sum(arr), two, merge(1, 2, total > 3), transfer(1.0, 0), nint(2.6), real(3)/2
end program
