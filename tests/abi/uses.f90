! Uses everything in module.f90.
program main
  use shapes
  implicit none
  integer, allocatable :: a(:)
  real(8), allocatable :: g(:,:), sa
  real(8), pointer :: sp
  integer, pointer :: p(:)
  integer, target :: t(7) = [1,2,3,4,5,6,7]
  character(4) :: cc(3) = ['aa','bb','cc']
  character(:), allocatable :: ac, acs(:)
  real :: m(4,4), col(6)
  type(pt) :: tt, us(3)
  real(8) :: ga(3) = [1d0,2d0,3d0]
  integer :: i
  call make(a, 3); print *, lbound(a), ubound(a), a
  call grow(g); print *, shape(g), g
  call grow(g); print *, shape(g), g
  call point(p, t); print *, lbound(p), ubound(p), p
  p => ap(4); print *, p; deallocate(p)
  print *, al(3)
  print *, cf('abc'), len(cf('abcd')), df('q r')
  print *, cz((1.,2.),(3d0,4d0))
  print *, lg(.true._1, .false.), lg(.true._1, .true.)
  call alloc_char(ac); call alloc_char(ac); print *, len(ac), ac
  call alloc_chars(acs, 4); print *, len(acs), acs
  call scalar_alloc(sa, sp); print *, sa, sp
  do i = 1, 3
    us(i)%x = i; us(i)%k = i; us(i)%v = [i, 10*i]; us(i)%s = repeat(achar(96+i),3)
  end do
  tt = typef(9); print *, tt%x, tt%k, tt%v, tt%s, tt%p
  call apply(f, ga, 3); print *, ga
  m = reshape([(real(i), i=1,16)], [4,4])
  call contig(m(1:3, 2:3), 3); print *, m(1:3,2)
  col = sq([1.,2.,3.,4.,5.,6.]); print *, col
  call set_store(3); print *, shape(store), lbound(store), store, ptr, name, len(name), counter
  counter = 1; ptr(2) = 77; store(0,1) = -1; name = 'x'
  call set_store(2); print *, counter, store, name, secret
contains
  real(8) function f(x, s)
    real(8), intent(in) :: x
    character(*), intent(in) :: s
    f = x * len(s) + t(1)
  end function
end program
