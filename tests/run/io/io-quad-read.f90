! REAL(16) and COMPLEX(16) read: lists, formats, NAMELIST, and unformatted records.
program io_quad_read
  implicit none
  integer, parameter :: q = 16
  real(q) :: x(7), y, w(4), v(4)
  complex(q) :: z
  character(300) :: s
  integer :: n, ios
  namelist /nm/ y, w, z
  w = [0.0_q, 1.0_q, -0.1_q, 1e-4900_q]
  z = (0.1_q, -3.0e100_q)
  write (s, *) w(3), z
  read (s, *) y, z
  print *, y == w(3), z == (0.1_q, -3.0e100_q)
  s = '1.5 2.25q3 -1e4000 3*7.125 .1 nan -inf 1d5 (1.5,-2.5)'
  read (s, *) v(1:3), x, z
  print *, v(1:3), x, z
  s = '  123456789012345678901234567890123456789 0.12345E+4000'
  read (s, '(f41.20,f15.0)') x(1:2)
  print *, x(1:2)
  read (s, '(e41.0,g15.0)') x(1:2)
  print *, x(1:2)
  read (s, '(2p,f10.3)') y
  print *, y
  s = '1e5000 -1e-5000 0.5 x'
  read (s, *) x(1:3)
  print *, x(1:3)
  read (s, *, iostat=ios) x(1:4)
  print *, ios > 0
  open (10, status='scratch', form='unformatted')
  write (10) w, z
  rewind 10
  read (10) v, z
  print *, all(v == w), z
  inquire (iolength=n) y, z, w
  print *, n
  close (10)
  open (11, status='scratch', form='unformatted', convert='big_endian')
  write (11) 1.5_q, (2.5_q, 3.5_q)
  rewind 11
  read (11) y, z
  print *, y, z
  close (11)
  open (12, status='scratch', form='unformatted', access='direct', recl=16)
  write (12, rec=2) 0.3_q
  read (12, rec=2) y
  print *, y
  close (12)
  write (*, nm)
  open (13, status='scratch')
  write (13, *) '&nm y=3.25q0, w=1,2,2*0.1, z=(1.5,2e300) /'
  rewind 13
  read (13, nm)
  print *, y, w, z
end program
