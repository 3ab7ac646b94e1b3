! INQUIRE by unit: connected for formatted, unformatted and stream access, and not connected.
program inquire_unit
  character(12) :: w(18)
  logical :: l(3)
  integer :: n(4), s
  open (31, status='scratch')
  call ask(31)
  close (31)
  open (31, status='scratch', form='unformatted')
  call ask(31)
  close (31)
  open (31, status='scratch', access='stream', form='formatted')
  call ask(31)
  close (31)
  open (31, status='scratch', access='direct', form='formatted', recl=20)
  call ask(31)
  close (31)
  call ask(31)
contains
  subroutine ask(u)
    integer, intent(in) :: u
    w = '?'
    n = -9
    inquire (u, exist=l(1), opened=l(2), named=l(3), number=n(1), recl=n(2), nextrec=n(3), pos=n(4), &
      access=w(1), sequential=w(2), direct=w(3), form=w(4), formatted=w(5), unformatted=w(6), blank=w(7), &
      position=w(8), action=w(9), read=w(10), write=w(11), readwrite=w(12), delim=w(13), pad=w(14), &
      stream=w(15), encoding=w(16), asynchronous=w(17), iostat=s)
    inquire (u, round=w(18))
    print '(3l2,4i12,i3)', l, n, s
    print '(6(a,1x))', w
  end subroutine
end program
