! Functions of degrees of scalars and arrays, in constants and at run time.
program p
  implicit none
  integer :: i, k
  real :: x
  double precision :: d
  integer, parameter :: n = 49
  real, parameter :: a(n) = [(real(15*(k - 25)), k = 1, n)]
  real, parameter :: s(n) = sind(a), c(n) = cosd(a)
  double precision, parameter :: b(n) = [(dble(15*(k - 25)) + 0.1d0, k = 1, n)]
  double precision, parameter :: ds(n) = sind(b), dc(n) = cosd(b), dt(n) = tand(b), dct(n) = cotand(b)
  real, parameter :: t(3) = tand([-45., 135., 180.]), as(5) = asind([-1.,-0.5,0.,.5,1.]), ac(5) = acosd([-1.,-0.5,0.,.5,1.])
  real, parameter :: at(3) = atand([-1.,0.,1e30]), a2(8) = atan2d([0.,0.,1.,1.,1.,-1.,-1.,-1.],[1.,-1.,1.,0.,-1.,1.,0.,-1.])
  real(16), parameter :: q = sind(10._16)
  character(60) :: text
  do i = 1, n
    x = a(i)
    print '(f8.1,3f12.6,2f12.6)', x, sind(x), cosd(x), s(i), c(i)
  end do
  print '(4es20.11)', (ds(i), dc(i), dt(i), dct(i), i = 1, n)
  print '(5f10.5)', t, as, ac, at, a2
  write (text, *) q
  print *, text(1:30)
  print *, dsind(30d0), [dcosd([60d0, 0d0])], datan2d(1d0, 1d0)
  d = 12.5d0
  print '(2f12.8)', sind(d * [1, 2]), besjn(1, [1.0, 2.0])
  if (any(sind([0.,90.]) /= [0.,1.])) print *, 'wrong'
end program
