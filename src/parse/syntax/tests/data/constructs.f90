subroutine constructs(a, n, *)
  where (a > 0) a = 1
  where (a > 0)
    a = 2
  elsewhere (a < -1)
    a = 3
    where (b) c = 1
  elsewhere
    a = 4
  end where
  w: where (a == 0)
  else where w
  endwhere w
  forall (i = 1:n) a(i) = i
  forall (i = 1:n, j = 1:n:2, i /= j)
    a(i) = j
    forall (k = 1:3) b(k) = k
  end forall
  forall (integer :: i = 1:3) a(i) = 1
  do concurrent (i = 1:n, j = 2:3, a(i) > 0)
    a(i) = 1
  end do
  do concurrent (integer(8) :: i = 1:n)
  end do
  associate (x => a(1), y => b + c)
    x = y
  end associate
  b1: block
    integer :: local
    local = 1
  end block b1
  allocate (p, q(3), r(0:n, m), stat = i, errmsg = s)
  allocate (integer :: x(3))
  allocate (character(len=n) :: str)
  allocate (point :: pt, source = other)
  allocate (y, mold = z)
  deallocate (p, q, stat = i)
  nullify (p, q%next)
  if (a) return
  return 1
  return
  error stop 'bad'
  error stop 3
  stop
  assign 10 to label
10 continue
  pause
  read *, a
  read (*, *) a, b(i), (c(j), j = 1, 3)
  read (5, 10, err = 10, end = 10) x
  read (unit = 5, fmt = '(i5)', iostat = i, size = k, advance = 'no', eor = 10) y
  read (5, nml = grp)
  read (s, *) x
  read '(a)', s
  write (*, *)
  write (*, '(a)') 'x', ((m(i, j), i = 1, 2), j = 1, 3)
  write (6, fmt) x
  write (6, 10, rec = 3)
  print *
  print *, 'a', b + c, (1.0, 2.0), (d)
  print 10, x
  print fmt, y
  open (newunit = u, file = 'x', form = 'unformatted', access = 'stream', action = 'read', position = 'append', recl = 8)
  close (u, status = 'delete')
  inquire (unit = u, exist = l, opened = l, name = s, number = i)
  inquire (iolength = i) a, b
  rewind 5
  rewind (5)
  backspace (unit = 5, iostat = i)
  endfile 5
  end file (5)
  flush (6)
  flush 6
  wait (5)
end subroutine
