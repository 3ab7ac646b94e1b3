! INQUIRE of units that are connected in different ways, and of one that is not.
program each
  implicit none
  integer :: k
  open (20, status='scratch')
  open (21, status='scratch', form='unformatted')
  open (22, status='scratch', access='direct', recl=12)
  open (23, status='scratch', access='direct', recl=30, form='formatted')
  open (24, status='scratch', access='stream')
  open (25, status='scratch', access='stream', form='formatted', delim='quote', blank='zero')
  open (26, status='scratch', action='readwrite', pad='no', decimal='comma', sign='plus', round='up')
  do k = 20, 27
    call show(k)
  end do
contains
  subroutine show(u)
    integer, intent(in) :: u
    character(12) :: a(8), b(8), c(4)
    logical :: x, o, n
    integer :: r, m, i
    inquire (u, access=a(1), sequential=a(2), direct=a(3), form=a(4), formatted=a(5), unformatted=a(6), &
      blank=a(7), position=a(8), exist=x, opened=o, named=n, recl=r, number=i)
    print '(i3,3l2,i12,i4,8(1x,a))', u, x, o, n, merge(r, 0, r < 1000), i, a
    inquire (u, action=b(1), read=b(2), write=b(3), readwrite=b(4), delim=b(5), pad=b(6), sign=b(7), decimal=b(8), &
      stream=c(1), asynchronous=c(2), encoding=c(3), round=c(4), nextrec=m)
    if (a(4) == 'UNFORMATTED') b(7) = ' '
    print '(8(1x,a))', b
    print '(i4,4(1x,a))', merge(m, 0, u == 22 .or. u == 23), c
  end subroutine
end program
