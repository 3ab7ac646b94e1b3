C     Statement functions, ASSIGN, alternate returns, computed GO TO, arithmetic IF, real DO, ENTRY, BLOCK DATA in one program.
      program p
      integer i, j, k, lab
      real s, f, g
      external g
      f(x) = x*x + i
      i = 2
      s = f(3.0)
      print *, s
      assign 20 to lab
      goto lab (10, 20)
 10   print *, 'no'
 20   print *, 'yes'
      do 30 i = 1, 3
      do 30 j = i, 3
        if (j .eq. 2) goto 30
        print *, i, j
 30   continue
      call alt(2, *40, *50)
      print *, 'none'
      goto 60
 40   print *, 'first'
      goto 60
 50   print *, 'second'
 60   goto (70, 80, 90), 3
 70   print *, 70
 80   print *, 80
 90   if (s - 11.0) 100, 110, 120
 100  print *, 'less'
 110  print *, 'equal'
 120  k = 0
      do 130 r = 0.0, 1.0, 0.25
 130  k = k + 1
      print *, k, r
      print *, g(2.0)
      print *, ent1(2.0), ient(7)
      end
      subroutine alt(n, *, *)
      return n
      end
      real function g(x)
      g = x + 1
      end
      integer function h(i)
      h = i*3
      end
      function ent(x)
      ent = x
      return
      entry ent1(x)
      ent1 = x*10
      return
      entry ient(i)
      ient = i - 1
      end
      blockdata
      common /c/ a, b(3)
      data a, b /1.0, 3*2.0/
      end
